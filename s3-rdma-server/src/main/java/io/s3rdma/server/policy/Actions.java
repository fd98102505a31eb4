package io.s3rdma.server.policy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Which actions a statement is about. */
final class Actions {
  private static final String ALL = "*";
  private static final Pattern FORM = Pattern.compile("s3:[a-z*?]{1,128}");

  /**
   * S3's actions whose operations answer 501 here. A policy may name them, as policies made for
   * Amazon do; what neither stands here nor is done here is a mistake, and is refused.
   */
  private static final Set<String> NOT_SERVED =
      Set.of(
          "s3:bypassgovernanceretention",
          "s3:deletebucketownershipcontrols",
          "s3:deletebucketpublicaccessblock",
          "s3:deletebucketwebsite",
          "s3:getaccelerateconfiguration",
          "s3:getanalyticsconfiguration",
          "s3:getbucketlogging",
          "s3:getbucketnotification",
          "s3:getbucketobjectlockconfiguration",
          "s3:getbucketownershipcontrols",
          "s3:getbucketpublicaccessblock",
          "s3:getbucketrequestpayment",
          "s3:getbucketwebsite",
          "s3:getintelligenttieringconfiguration",
          "s3:getinventoryconfiguration",
          "s3:getmetricsconfiguration",
          "s3:getobjectlegalhold",
          "s3:getobjectretention",
          "s3:getobjecttorrent",
          "s3:getobjectversionforreplication",
          "s3:getobjectversiontorrent",
          "s3:getreplicationconfiguration",
          "s3:initiatereplication",
          "s3:objectowneroverridetobucketowner",
          "s3:putaccelerateconfiguration",
          "s3:putanalyticsconfiguration",
          "s3:putbucketlogging",
          "s3:putbucketnotification",
          "s3:putbucketobjectlockconfiguration",
          "s3:putbucketownershipcontrols",
          "s3:putbucketpublicaccessblock",
          "s3:putbucketrequestpayment",
          "s3:putbucketwebsite",
          "s3:putintelligenttieringconfiguration",
          "s3:putinventoryconfiguration",
          "s3:putmetricsconfiguration",
          "s3:putobjectlegalhold",
          "s3:putobjectretention",
          "s3:putreplicationconfiguration",
          "s3:replicatedelete",
          "s3:replicateobject",
          "s3:replicatetags",
          "s3:restoreobject");

  private Actions() {}

  /** Those that the element names, or for NotAction all others. */
  static Set<PolicyAction> parse(JsonNode node, boolean others) throws MalformedPolicyException {
    Set<PolicyAction> named = EnumSet.noneOf(PolicyAction.class);
    for (String text : Texts.of(node, others ? "NotAction" : "Action")) {
      named.addAll(named(text));
    }
    return others ? EnumSet.complementOf(EnumSet.copyOf(named)) : named;
  }

  /** Names of actions have no case. */
  private static Set<PolicyAction> named(String text) throws MalformedPolicyException {
    if (text.equals(ALL)) {
      return EnumSet.allOf(PolicyAction.class);
    }
    String lower = text.toLowerCase(Locale.ROOT);
    if (!FORM.matcher(lower).matches()) {
      throw new MalformedPolicyException("the action " + text + " is not one of S3, s3:...");
    }
    Wildcard pattern = Wildcard.of(lower);
    Set<PolicyAction> found = EnumSet.noneOf(PolicyAction.class);
    for (PolicyAction action : PolicyAction.values()) {
      if (pattern.matches(action.lowerCase())) {
        found.add(action);
      }
    }
    if (found.isEmpty() && NOT_SERVED.stream().noneMatch(pattern::matches)) {
      throw new MalformedPolicyException("S3 has no action " + text);
    }
    return found;
  }
}
