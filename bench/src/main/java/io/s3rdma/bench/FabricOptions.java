package io.s3rdma.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** How the servers of a comparison on an RDMA device are started. */
final class FabricOptions {
  /** Sixteen objects of 256 MiB share one Soft-RoCE device. */
  static final int DEADLINE_MILLIS = 300_000;

  @Option(names = "--chunk", paramLabel = "SIZE", description = "bytes of one work request")
  private String chunk = "1M";

  @Option(names = "--in-flight", paramLabel = "N", description = "work requests in flight")
  private int inFlight = 4;

  // Memory: what is compared is the fabric, not a disk, and a guest's disk is the host's files.
  @Option(names = "--data", paramLabel = "DIR", description = "parent of the servers' data")
  private Path data = Path.of("/dev/shm");

  @Option(
      names = "--hot",
      paramLabel = "SIZE",
      description = "registered memory for hot objects (rdma.hot-bytes); 0 is the server's default")
  private String hot = "384M";

  @Option(names = "--set", paramLabel = "KEY=VALUE", description = "setting of the servers")
  private Map<String, String> settings = Map.of();

  long chunkBytes() {
    return ByteCount.parse(chunk);
  }

  int inFlight() {
    return inFlight;
  }

  /** A new folder for the servers' data; who made it deletes it. */
  Path newFolder() throws IOException {
    return Files.createTempDirectory(data, "s3rdma-bench");
  }

  /** A server on the rail's address, with its data and messages in the folder. */
  ServerProcess start(Rail rail, Path folder, String durability) throws IOException {
    Map<String, Object> all = new HashMap<>();
    all.put("store.durability", durability);
    all.put("rdma.enabled", "on");
    all.put("rdma.chunk-bytes", chunkBytes());
    all.put("rdma.chunks-in-flight", inFlight);
    all.put("rdma.deadline-millis-max", DEADLINE_MILLIS);
    all.put("rdma.hot-bytes", ByteCount.parse(hot));
    all.putAll(settings);
    return ServerProcess.start(
        new ServerLaunch(
            rail.address().getHostAddress(),
            folder.resolve(durability),
            folder.resolve("server-" + durability + ".log"),
            List.of("-XX:+UseSerialGC"),
            ServerLaunch.MAIN,
            all));
  }

  /** What stands beside figures of a device. */
  Map<String, Object> facts(Rail rail, Path folder) throws IOException {
    Map<String, Object> facts = Host.facts();
    facts.put("device", rail.device());
    facts.put("mtuBytes", rail.mtuBytes());
    facts.put("hostLoadAtStart", Host.environment("S3RDMA_BENCH_HOST_LOAD"));
    facts.put("dataFileSystem", Files.getFileStore(folder).type());
    facts.put("chunkBytes", chunkBytes());
    facts.put("chunksInFlight", inFlight);
    facts.put("hotMemory", hot);
    facts.put("settings", settings);
    return facts;
  }
}
