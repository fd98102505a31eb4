package io.s3rdma.bench;

import java.io.PrintWriter;
import java.util.Map;

/** What a comparison gave: a table for people, JSON for machines, and whether its bars are met. */
interface Report {
  void print(PrintWriter out);

  Map<String, Object> toJson();

  boolean barsMet();
}
