package io.s3rdma.server.http;

import java.util.Map;

/**
 * What an object itself says of who may use it.
 *
 * @param acl the name of its canned ACL; the empty text is private
 */
public record ObjectLabels(String acl, Map<String, String> tags) {}
