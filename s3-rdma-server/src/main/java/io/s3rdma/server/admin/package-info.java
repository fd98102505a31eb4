/** Health, metrics and recent transfers for the people who run the server. */
package io.s3rdma.server.admin;
