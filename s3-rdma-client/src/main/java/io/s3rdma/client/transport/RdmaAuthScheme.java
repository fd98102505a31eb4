package io.s3rdma.client.transport;

import io.s3rdma.rdma.wire.RdmaHeaders;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.scheme.AwsV4AuthScheme;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.AsyncSignRequest;
import software.amazon.awssdk.http.auth.spi.signer.AsyncSignedRequest;
import software.amazon.awssdk.http.auth.spi.signer.SignRequest;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;
import software.amazon.awssdk.identity.spi.IdentityProviders;

/**
 * SigV4 that puts a fresh token into every attempt of a request with a slot (P-1.1, P-4.10). A
 * signer runs once per attempt; an execution interceptor runs once per call and would repeat a used
 * token.
 */
public final class RdmaAuthScheme implements AwsV4AuthScheme {
  private final AwsV4AuthScheme delegate = AwsV4AuthScheme.create();
  private final AwsV4HttpSigner signer;

  public RdmaAuthScheme(TokenSlots slots) {
    this.signer = new TokenSigner(delegate.signer(), slots);
  }

  @Override
  public String schemeId() {
    return delegate.schemeId();
  }

  @Override
  public IdentityProvider<AwsCredentialsIdentity> identityProvider(IdentityProviders providers) {
    return delegate.identityProvider(providers);
  }

  @Override
  public AwsV4HttpSigner signer() {
    return signer;
  }

  private record TokenSigner(AwsV4HttpSigner delegate, TokenSlots slots)
      implements AwsV4HttpSigner {
    @Override
    public SignedRequest sign(SignRequest<? extends AwsCredentialsIdentity> request) {
      String slot = request.request().firstMatchingHeader(TokenSlots.HEADER).orElse(null);
      return slot == null ? delegate.sign(request) : signWithToken(request, slot);
    }

    private <T extends AwsCredentialsIdentity> SignedRequest signWithToken(
        SignRequest<T> request, String slot) {
      SdkHttpRequest original = request.request();
      boolean swap = original.protocol().equals("http") && original.port() != 80;
      SdkHttpRequest.Builder withToken =
          original.toBuilder()
              .removeHeader(TokenSlots.HEADER)
              .putHeader(RdmaHeaders.TOKEN, slots.mint(slot));
      if (swap) {
        // Over http the SDK hashes the empty body whatever it is told; P-1.4 wants
        // UNSIGNED-PAYLOAD.
        withToken.protocol("https");
      }
      SignedRequest signed =
          delegate.sign(
              request.toBuilder()
                  .request(withToken.build())
                  .putProperty(AwsV4FamilyHttpSigner.PAYLOAD_SIGNING_ENABLED, false)
                  .putProperty(AwsV4FamilyHttpSigner.CHUNK_ENCODING_ENABLED, false)
                  .build());
      if (!swap) {
        return signed;
      }
      return signed.toBuilder()
          .request(signed.request().toBuilder().protocol("http").build())
          .build();
    }

    @Override
    public CompletableFuture<AsyncSignedRequest> signAsync(
        AsyncSignRequest<? extends AwsCredentialsIdentity> request) {
      if (request.request().firstMatchingHeader(TokenSlots.HEADER).isPresent()) {
        throw new IllegalStateException("tokens are minted by the synchronous client only");
      }
      return delegate.signAsync(request);
    }
  }
}
