/**
 * Device and pinned memory as {@link io.s3rdma.rdma.TransferBuffer}s: the CUDA driver is opened at
 * run time, nothing is linked at build time, and a machine without a GPU gets a cause instead of an
 * exception.
 *
 * <p><b>State: this package has not yet run on a GPU.</b> Everything was tested against a stand-in
 * for the CUDA driver and a stand-in for the RDMA device, both over host memory. What only hardware
 * can show is therefore unproven: that the export of a range and its registration reach the right
 * bytes of VRAM, which way a given driver and NIC allow, and that the fence after remote writes is
 * enough. No figure for GPUs may be quoted from it.
 *
 * <p>Public types: {@link io.s3rdma.gpu.Gpu} (the entrance), {@link io.s3rdma.gpu.DeviceBuffer},
 * {@link io.s3rdma.gpu.PinnedBuffer}, {@link io.s3rdma.gpu.CudaException}. System properties:
 * {@code s3rdma.cuda.library} names the driver library, {@code s3rdma.gpu.registration} forces one
 * way of registration ({@code auto}, {@code dma-buf}, {@code peer-memory}, {@code staging}).
 *
 * <p>Rules that hold for the whole package: the CPU never follows a device pointer; the context of
 * a buffer's device is current on every thread that registers, copies or frees; a pinned slot is
 * not offered again before the event after its copy has fired.
 */
package io.s3rdma.gpu;
