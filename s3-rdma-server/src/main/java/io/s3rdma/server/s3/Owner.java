package io.s3rdma.server.s3;

import io.s3rdma.server.http.Xml;

/** All access keys of a server are one account. */
final class Owner {
  private static final String NAME = "s3rdma";

  private Owner() {}

  static void write(Xml xml) {
    writeNames(xml.start("Owner"));
    xml.end();
  }

  static void writeNames(Xml xml) {
    xml.text("ID", NAME).text("DisplayName", NAME);
  }
}
