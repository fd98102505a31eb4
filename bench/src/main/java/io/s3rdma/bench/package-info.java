/**
 * End-to-end comparisons with perftest and micro benchmarks. Nothing imports this package. How
 * figures are taken stands in docs/benchmarks.md, before the figures.
 */
package io.s3rdma.bench;
