package io.s3rdma.client;

import io.s3rdma.client.transport.Grant;
import io.s3rdma.client.transport.TransportException;
import io.s3rdma.rdma.RdmaException;
import io.s3rdma.rdma.TransferBuffer;
import io.s3rdma.rdma.TransferRight;
import java.util.concurrent.locks.LockSupport;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * Tries a request by RDMA: grant, call, and after it settle or fence, with a fresh connection for
 * the next attempt (P-2.5, P-4.9, P-4.10). The same loop for GET and PUT.
 */
final class RdmaAttempts {
  private final ClientContext context;
  private final TransferBuffer buffer;
  private final long lengthBytes;
  private final TransferRight right;

  RdmaAttempts(
      ClientContext context, TransferBuffer buffer, long lengthBytes, TransferRight right) {
    this.context = context;
    this.buffer = buffer;
    this.lengthBytes = lengthBytes;
    this.right = right;
  }

  /** One request with a token. */
  interface Call<T> {
    /**
     * Makes the request.
     *
     * @param slot value of the slot header
     * @param grant settled by the call if it uses the buffer itself (HTTP body of a decline)
     */
    T with(String slot, Grant grant, int attempt);
  }

  /** RDMA is out of the question for this request, and why. */
  static final class NoRdma extends Exception {
    private static final long serialVersionUID = 1L;
    private final int attempts;

    NoRdma(String reason, Throwable cause, int attempts) {
      super(reason, cause);
      this.attempts = attempts;
    }

    int attempts() {
      return attempts;
    }
  }

  <T> T run(Call<T> call) throws NoRdma {
    for (int attempt = 1; ; attempt++) {
      Grant grant = grant(attempt);
      String slot = context.slots().put(grant);
      try {
        T result = call.with(slot, grant, attempt);
        grant.settle(true);
        return result;
      } catch (S3Exception e) {
        ServerFault fault = ServerFault.of(e);
        if (fault.isRdma() && !fault.connectionAlive() && fault.retryWithNewConnection()) {
          grant.doubt(fault.railInDoubt());
        }
        grant.settle(fault.connectionAlive());
        if (!fault.isRdma()) {
          throw e;
        }
        if (!fault.retryWithNewConnection() || attempt >= context.attemptsMax()) {
          throw new NoRdma(reasonOf(e), e, attempt);
        }
        LockSupport.parkNanos(fault.backoffMillis() * 1_000_000L * attempt);
      } catch (SdkException e) {
        // No answer: the server may still be writing.
        grant.abandon();
        if (attempt >= context.attemptsMax()) {
          throw new NoRdma("no answer from the server: " + e.getMessage(), e, attempt);
        }
      } finally {
        context.slots().remove(slot);
        grant.abandon(); // no effect on a grant that ended above
      }
    }
  }

  private Grant grant(int attempt) throws NoRdma {
    try {
      return context.openTransport().grant(buffer, lengthBytes, right);
    } catch (TransportException e) {
      throw new NoRdma(e.getMessage(), e, attempt - 1);
    } catch (RdmaException e) {
      if (e.advice() == RdmaException.Advice.ABORT) {
        throw e; // a misuse of the buffer, not a lack of RDMA
      }
      throw new NoRdma(e.getMessage(), e, attempt - 1);
    }
  }

  private static String reasonOf(S3Exception e) {
    String code = e.awsErrorDetails().errorCode();
    return code.equals("RDMANotSupported")
        ? RdmaAnswer.of(e.awsErrorDetails().sdkHttpResponse()).whyNot()
        : code + ": " + e.awsErrorDetails().errorMessage();
  }
}
