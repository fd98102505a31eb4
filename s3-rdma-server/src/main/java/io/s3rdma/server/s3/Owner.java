package io.s3rdma.server.s3;

import io.s3rdma.server.http.Account;
import io.s3rdma.server.http.Xml;

/** How an account stands in XML. */
final class Owner {
  private Owner() {}

  static void write(Xml xml, Account account) {
    writeNames(xml.start("Owner"), account);
    xml.end();
  }

  static void writeNames(Xml xml, Account account) {
    xml.text("ID", account.id()).text("DisplayName", account.displayName());
  }
}
