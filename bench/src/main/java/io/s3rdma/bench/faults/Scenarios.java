package io.s3rdma.bench.faults;

import io.s3rdma.client.RdmaPolicy;
import io.s3rdma.client.S3RdmaClient;
import io.s3rdma.client.TransferResult;
import io.s3rdma.rdma.HostBuffer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** All that goes wrong, one after the other. */
final class Scenarios {
  /** Before a command; with CAP_IPC_LOCK there is no limit. */
  private static final String LOCKS_ONE_MIB =
      "prlimit --memlock=1048576:1048576 setpriv --bounding-set=-ipc_lock --inh-caps=-ipc_lock";

  private static final int CROWD = 64;
  private static final int CROWD_ROUNDS = 5;

  private Scenarios() {}

  static List<Scenario> all() {
    return Stream.of(onTheWire(), toProcesses(), toResources()).flatMap(List::stream).toList();
  }

  private static List<Scenario> onTheWire() {
    return List.of(
        new Scenario("quiet", "nothing goes wrong", true, false, Bench::load),
        netem("loss-1", "1 % of packets are lost, both ways", true, "loss 1%"),
        new Scenario(
            "crowd",
            "64 transfers at once while 1 % of packets are lost",
            false,
            true,
            Scenarios::crowd),
        netem("loss-5", "5 % of packets are lost", false, "loss 5%"),
        netem("delay", "20 ms more each way", false, "delay 20ms"),
        netem("jitter", "15 to 25 ms more each way, so many overtake", false, "delay 20ms 5ms"),
        netem("duplicate", "5 % of packets come twice", true, "duplicate 5%"),
        netem("reorder", "10 % of packets overtake others", true, "delay 3ms reorder 10% 50%"),
        netem("corrupt", "1 of 1,000 packets has a flipped bit", false, "corrupt 0.1%"),
        new Scenario(
            "link-flap", "the server's link is down for 2 s", true, true, Scenarios::linkFlap),
        new Scenario(
            "mtu",
            "the server's MTU is 1500 for a while, then 4200 again",
            false,
            true,
            Scenarios::mtu));
  }

  private static List<Scenario> toProcesses() {
    return List.of(
        new Scenario(
            "server-stopped",
            "SIGSTOP for longer than the clients' patience, then SIGCONT",
            true,
            true,
            Scenarios::serverStopped),
        new Scenario(
            "server-killed",
            "kill -9 in the middle, then a new server",
            false,
            true,
            Scenarios::serverKilled),
        new Scenario(
            "client-stopped",
            "SIGSTOP of a client for longer than its patience, then SIGCONT, beside another one",
            true,
            true,
            Scenarios::clientStopped),
        new Scenario(
            "client-killed",
            "kill -9 of a client in the middle, beside another one",
            false,
            false,
            Scenarios::clientKilled),
        new Scenario(
            "client-memlock",
            "a client that may lock 1 MiB only: what is larger goes by HTTP",
            false,
            true,
            Scenarios::clientMemlock));
  }

  private static List<Scenario> toResources() {
    return List.of(
        new Scenario(
            "device-removed",
            "rdma link delete under load, then a new device and server",
            false,
            true,
            Scenarios::deviceRemoved),
        new Scenario(
            "memlock",
            "a server that may lock 1 MiB only: HTTP, and it says why",
            false,
            true,
            Scenarios::memlock),
        new Scenario(
            "fds",
            "a server with 160 file descriptors, and 300 idle connections to it",
            false,
            true,
            Scenarios::fds),
        new Scenario("credentials", "a wrong secret", true, true, Scenarios::credentials),
        new Scenario("disk-full", "PUTs until the disk is full", false, true, Scenarios::diskFull),
        new Scenario(
            "cycles",
            "connect, one byte, disconnect, over and over",
            true,
            false,
            Scenarios::cycles),
        new Scenario(
            "mixed",
            "many transfers of mixed sizes",
            true,
            false,
            bench -> bench.load(bench.server(), RdmaPolicy.REQUIRE, bench.mixed())));
  }

  /** Both ends of the wire, since netem works on what leaves. */
  private static Scenario netem(String name, String what, boolean isShort, String options) {
    return new Scenario(name, what, isShort, true, bench -> disturbed(options, bench, Bench::load));
  }

  private static void disturbed(String options, Bench bench, Scenario.Body body)
      throws IOException {
    Shell.server("tc qdisc add dev s0 root netem " + options + " limit 100000");
    Shell.client("tc qdisc add dev c0 root netem " + options + " limit 100000");
    try {
      body.run(bench);
    } finally {
      Shell.server("tc qdisc del dev s0 root");
      Shell.client("tc qdisc del dev c0 root");
    }
  }

  /** A server of its own: the shared one has fewer threads, whose number is counted. */
  private static void crowd(Bench bench) throws IOException {
    Map<String, Object> settings = Map.of("http.operation-threads", CROWD);
    Path folder = bench.data().resolve("crowd");
    try (FaultServer wide = FaultServer.start(folder, "", settings)) {
      bench.prepare(wide);
      disturbed(
          "loss 1%", bench, b -> b.load(wide, RdmaPolicy.REQUIRE, CROWD_ROUNDS * CROWD, CROWD));
    }
  }

  private static void linkFlap(Bench bench) throws IOException {
    bench.loadWhile(
        bench.transfers(),
        b -> {
          Shell.pause(1_000);
          Shell.server("ip link set s0 down");
          Shell.pause(2_000);
          Shell.server("ip link set s0 up");
        });
    requireRdmaAgain(bench);
  }

  private static void mtu(Bench bench) throws IOException {
    bench.loadWhile(
        bench.transfers(),
        b -> {
          Shell.pause(500);
          Shell.server("ip link set s0 mtu 1500");
        });
    try {
      requireRdmaAgain(bench); // on a path of 1024
    } finally {
      Shell.server("ip link set s0 mtu 4200");
    }
    requireRdmaAgain(bench);
  }

  /** After what was undone, everything goes by RDMA as before. */
  private static void requireRdmaAgain(Bench bench) throws IOException {
    Tally before = bench.tally();
    long failed = before.failed();
    bench.load(bench.server(), RdmaPolicy.REQUIRE, 20);
    long now = before.failed();
    if (now > failed) {
      before.wrong((now - failed) + " of 20 transfers fail after all is as before");
    }
  }

  private static void serverStopped(Bench bench) throws IOException {
    bench.loadWhile(
        bench.transfers(),
        b -> {
          Shell.pause(1_000);
          b.server().signal("STOP");
          Shell.pause(Load.DEADLINE_MILLIS + 6_000);
          b.server().signal("CONT");
        });
    requireRdmaAgain(bench);
  }

  private static void serverKilled(Bench bench) throws IOException {
    bench.loadWhile(
        bench.transfers(),
        b -> {
          Shell.pause(1_000);
          b.server().signal("KILL");
        });
    bench.restart();
    bench.requireAcknowledged();
    requireRdmaAgain(bench);
  }

  private static void clientStopped(Bench bench) throws IOException {
    try (FaultClient other =
        bench.startClient(RdmaPolicy.REQUIRE, 2 * bench.transfers(), "stopped-")) {
      other.awaitTransfers();
      Shell.pause(1_000);
      other.signal("STOP");
      long failedBefore = bench.tally().failed();
      long stopped = System.nanoTime();
      bench.load();
      if (bench.tally().failed() > failedBefore) {
        bench.tally().wrong("a stopped client makes transfers of another one fail");
      }
      Shell.pause(
          Math.max(0, Load.DEADLINE_MILLIS + 6_000 - (System.nanoTime() - stopped) / 1_000_000));
      String page = Counts.metrics(bench.server().endpoint());
      long held = Counts.figure(page, "s3rdma_staging_slots_used");
      if (held > 0) {
        bench.tally().wrong("a stopped client holds " + held + " slots beyond its deadline");
      }
      other.signal("CONT");
      bench.tally().add(other.result());
    }
    requireRdmaAgain(bench);
  }

  private static void clientKilled(Bench bench) throws IOException {
    try (FaultClient other = bench.startClient(RdmaPolicy.REQUIRE, 100_000, "killed-")) {
      other.awaitTransfers();
      Shell.pause(1_000);
      other.signal("KILL");
      bench.missTransfers();
      bench.load(); // the end of the other one takes Soft-RoCE 50 s for each queue pair
    }
  }

  private static void clientMemlock(Bench bench) throws IOException {
    try (FaultClient poor =
        FaultClient.start(
            LOCKS_ONE_MIB, bench.server().endpoint(), RdmaPolicy.PREFER, 40, "poor-")) {
      bench.tally().add(poor.result());
    }
    if (bench.tally().byHttp() == 0) {
      bench.tally().wrong("RDMA without memory to register");
    }
    if (bench.tally().failed() > 0) {
      bench.tally().wrong("a transfer failed that could have gone by HTTP");
    }
    try (FaultClient poor =
        FaultClient.start(
            LOCKS_ONE_MIB, bench.server().endpoint(), RdmaPolicy.REQUIRE, 40, "poor-")) {
      bench.tally().add(poor.result());
    }
  }

  private static void deviceRemoved(Bench bench) throws IOException {
    Process[] removal = new Process[1];
    bench.loadWhile(
        bench.transfers(),
        b -> {
          Shell.pause(1_000);
          // Returns once nobody has the device open any more, so it is not waited for.
          removal[0] = Shell.start("ip netns exec server rdma link delete rxe_s");
        });
    bench.server().close();
    Shell.await(removal[0], "rdma link delete rxe_s");
    Shell.server("rdma link add rxe_s type rxe netdev s0");
    Shell.pause(500);
    bench.restart();
    requireRdmaAgain(bench);
  }

  private static void memlock(Bench bench) throws IOException {
    try (FaultServer poor =
        FaultServer.start(bench.data().resolve("memlock"), LOCKS_ONE_MIB, Map.of())) {
      bench.prepare(poor);
      bench.load(poor, RdmaPolicy.PREFER, 20);
      if (bench.tally().byHttp() != 20) {
        bench.tally().wrong("RDMA without memory to register");
      }
      bench.load(poor, RdmaPolicy.REQUIRE, 8);
    }
  }

  private static void fds(Bench bench) throws IOException {
    try (FaultServer poor =
        FaultServer.start(bench.data().resolve("fds"), "prlimit --nofile=160:160", Map.of())) {
      bench.prepare(poor);
      List<Socket> idle = new ArrayList<>();
      try {
        for (int i = 0; i < 300; i++) {
          Socket socket = new Socket();
          idle.add(socket);
          socket.connect(
              new InetSocketAddress(FaultServer.ADDRESS, poor.endpoint().getPort()), 2_000);
        }
        bench.load(poor, RdmaPolicy.REQUIRE, 16);
      } finally {
        for (Socket socket : idle) {
          socket.close();
        }
      }
      Shell.pause(1_500);
      long failed = bench.tally().failed();
      bench.load(poor, RdmaPolicy.REQUIRE, 20);
      long now = bench.tally().failed();
      if (now > failed) {
        bench.tally().wrong("the server does not recover from the lack of file descriptors");
      }
    }
  }

  private static void credentials(Bench bench) {
    HostBuffer content = bench.objects().content(0);
    try (S3RdmaClient wrong =
        bench.server().client(RdmaPolicy.REQUIRE).credentials("FAULTKEY", "wrong").build()) {
      for (int i = 0; i < 20; i++) {
        long start = System.nanoTime();
        try {
          TransferResult result = wrong.putObject(FaultServer.BUCKET, "wrong", content);
          bench.tally().wrong("a wrong secret stored an object: " + result);
        } catch (RuntimeException e) {
          bench.tally().failed(e, (System.nanoTime() - start) / 1e9);
        }
      }
    }
  }

  private static void diskFull(Bench bench) throws IOException {
    Path small = bench.data().resolve("small"); // a file system of 128 MiB that ci/faults mounts
    if (Files.getFileStore(small).getTotalSpace() > 256L << 20) {
      bench.tally().wrong(small + " is no small file system");
      return;
    }
    try (FaultServer poor = FaultServer.start(small.resolve("data"), "", Map.of())) {
      bench.prepare(poor);
      fill(bench, poor);
      bench.load(poor, RdmaPolicy.REQUIRE, 30);
    }
  }

  private static void fill(Bench bench, FaultServer poor) {
    try (S3RdmaClient client = poor.client(RdmaPolicy.REQUIRE).build();
        HostBuffer large = HostBuffer.allocate(8 << 20)) {
      int stored = 0;
      for (int i = 0; i < 40; i++) {
        long start = System.nanoTime();
        try {
          client.putObject(FaultServer.BUCKET, "fill-" + i, large);
          stored++;
        } catch (RuntimeException e) {
          bench.tally().failed(e, (System.nanoTime() - start) / 1e9);
          break;
        }
      }
      if (stored == 40) {
        bench.tally().wrong("the disk never became full");
      }
      for (int i = 0; i < stored; i++) {
        String key = "fill-" + i;
        client.s3().deleteObject(b -> b.bucket(FaultServer.BUCKET).key(key));
      }
    }
  }

  private static void cycles(Bench bench) {
    try (HostBuffer target = HostBuffer.allocate(1)) {
      for (int i = 0; i < bench.cycles(); i++) {
        long start = System.nanoTime();
        try (S3RdmaClient client = bench.server().client(RdmaPolicy.REQUIRE).build()) {
          target.segment().fill((byte) 0);
          TransferResult result = client.getObject(FaultServer.BUCKET, Objects.key(0), target);
          boolean same = target.segment().mismatch(bench.objects().content(0).segment()) == -1;
          bench.tally().done(result, same, "GET of 1 byte", (System.nanoTime() - start) / 1e9);
        } catch (RuntimeException e) {
          bench.tally().failed(e, (System.nanoTime() - start) / 1e9);
        }
      }
    }
  }
}
