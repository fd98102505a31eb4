package io.s3rdma.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/**
 * Divides the CPU of client and server by stage, from samples of the JDK's CPU-time profiler. Only
 * shares come from it: the profiler costs something itself, so times are measured without it.
 */
final class StageProfile {
  private static final String SAMPLE = "jdk.CPUTimeSample";

  private final Map<Stage, Integer> samples = new EnumMap<>(Stage.class);

  /**
   * Runs the calls under the profiler.
   *
   * @param file of the recording, which stays
   */
  static StageProfile of(Path file, Runnable calls) throws IOException {
    try (Recording recording = new Recording()) {
      recording.enable(SAMPLE).with("throttle", "1ms");
      recording.start();
      calls.run();
      recording.stop();
      recording.dump(file);
    }
    StageProfile profile = new StageProfile();
    try (RecordingFile events = new RecordingFile(file)) {
      while (events.hasMoreEvents()) {
        profile.add(events.readEvent());
      }
    }
    return profile;
  }

  private void add(RecordedEvent event) {
    RecordedThread thread = event.getThread("eventThread");
    if (!event.getEventType().getName().equals(SAMPLE)
        || event.getStackTrace() == null
        || thread == null
        || thread.getJavaName() == null) {
      return;
    }
    Stage stage = Stage.of(thread.getJavaName(), event.getStackTrace());
    if (stage != null) {
      samples.merge(stage, 1, Integer::sum);
    }
  }

  int samples() {
    return samples.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Microseconds a call by stage. */
  Map<Stage, Double> divide(Map<Part, Double> microsByPart) {
    Map<Stage, Double> divided = new LinkedHashMap<>();
    for (Stage stage : Stage.values()) {
      int all =
          samples.entrySet().stream()
              .filter(e -> e.getKey().part() == stage.part())
              .mapToInt(Map.Entry::getValue)
              .sum();
      double share = all == 0 ? 0 : samples.getOrDefault(stage, 0) / (double) all;
      divided.put(stage, share * microsByPart.get(stage.part()));
    }
    return divided;
  }
}
