package io.s3rdma.server.admin;

/**
 * Settings of the section {@code admin} of reference.conf.
 *
 * @param allowRemote whether unsigned requests from other machines may look
 */
public record AdminConfig(boolean allowRemote) {}
