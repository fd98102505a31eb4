package io.s3rdma.server.store;

/**
 * The kinds of rows; {@link MetaKeys} says how their keys are made. A letter before the key keeps
 * them apart. One column family for all but the bytes of small objects, since each costs a start
 * its time.
 */
enum Family {
  /** Name of a fact about the store itself to the fact. */
  FACTS('a'),
  /** Bucket's name to {@link BucketMeta}. */
  BUCKETS('b'),
  /** Bucket and key to the current version; never a delete marker, so that listings skip none. */
  OBJECTS('o'),
  /** Bucket, key and falling sequence to the versions that are not current, and all markers. */
  VERSIONS('v'),
  /** Data id to the parts of an object. */
  MANIFESTS('m'),
  /** Data id to the bytes of a small object. */
  INLINE('i'),
  /** Bucket, key and upload id to {@link UploadMeta}. */
  UPLOADS('u'),
  /** Upload id and number to {@link PartMeta}. */
  PARTS('p'),
  /** Upload id to what its completion answered. */
  COMPLETED('c'),
  /** Data id of every data file that something names to its {@link FileRecord}. */
  FILES('f'),
  /** Bucket and counter to a number that is added to. */
  USAGE('n');

  private final byte letter;

  Family(char letter) {
    this.letter = (byte) letter;
  }

  /** The whole key of a row. */
  byte[] row(byte[] key) {
    byte[] row = new byte[key.length + 1];
    row[0] = letter;
    System.arraycopy(key, 0, row, 1, key.length);
    return row;
  }

  /** Whether it has a column family of its own. */
  boolean isBulky() {
    return this == INLINE;
  }
}
