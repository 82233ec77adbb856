/** What begins a file of this kind, and what a person does about it. */
interface FileKind {
  readonly begins: (head: Buffer) => boolean
  /** Follows the name of the file. */
  readonly is: string
}

const decompress = 'Decompress it first'
const decrypt = 'Decrypt it first, for example through a pipe'

function startsWith(...bytes: readonly number[]): FileKind['begins'] {
  return (head) => head.subarray(0, bytes.length).equals(Buffer.from(bytes))
}

function matches(form: RegExp): FileKind['begins'] {
  return (head) => form.test(head.toString('latin1'))
}

/** RFC 9580 4.2 and 5.1, 5.3: the tag of an encrypted session key, its length, and the version of its form. */
function isPgp([tag = 0, , third = 0, fourth = 0]: Buffer): boolean {
  if (tag === 0x84 || tag === 0x8c) return third >= 3 && third <= 6
  if (tag === 0x85) return fourth === 3 || fourth === 6
  return (tag === 0xc1 || tag === 0xc3) && [third, fourth].some((one) => one >= 3 && one <= 6)
}

/** The files that people take for another file most often. */
const kinds: readonly FileKind[] = [
  { begins: (head) => head.length === 0, is: 'is empty. Make or copy the file again.' },
  { begins: startsWith(0x1f, 0x8b), is: `is compressed with gzip. ${decompress}: gunzip.` },
  {
    begins: startsWith(0x28, 0xb5, 0x2f, 0xfd),
    is: `is compressed with zstd. ${decompress}: unzstd.`,
  },
  {
    begins: startsWith(0xfd, 0x37, 0x7a, 0x58, 0x5a),
    is: `is compressed with xz. ${decompress}: unxz.`,
  },
  { begins: matches(/^BZh[1-9]1AY&SY/), is: `is compressed with bzip2. ${decompress}: bunzip2.` },
  {
    begins: startsWith(0x04, 0x22, 0x4d, 0x18),
    is: `is compressed with lz4. ${decompress}: unlz4.`,
  },
  {
    begins: startsWith(0x50, 0x4b, 0x03, 0x04),
    is: 'is a zip archive. Unpack it first: unzip.',
  },
  {
    begins: startsWith(0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c),
    is: 'is a 7z archive. Unpack it first.',
  },
  {
    begins: (head) => head.toString('latin1', 257, 262) === 'ustar',
    is: 'is a tar archive. Unpack it first: tar -xf.',
  },
  {
    begins: matches(/^(age-encryption\.org\/|-----BEGIN AGE ENCRYPTED FILE-----)/),
    is: `is encrypted with age. ${decrypt}: age -d.`,
  },
  {
    begins: (head) => matches(/^-----BEGIN PGP MESSAGE-----/)(head) || isPgp(head),
    is: `is encrypted with PGP. ${decrypt}: gpg -d.`,
  },
  { begins: matches(/^Salted__/), is: `is encrypted with OpenSSL. ${decrypt}: openssl enc -d.` },
  {
    begins: matches(/^(\xef\xbb\xbf)?\s*<(!doctype html|html)\b/i),
    is: 'is an HTML page. It may be the page of a sign-in or of an error that was downloaded in place of the file. Download the file again.',
  },
  { begins: matches(/^PGDMP/), is: 'is a dump of PostgreSQL. Restore it with pg_restore.' },
]

/** The bytes that `describeOtherFile` needs. */
export const fileHeadBytes = 512

/** Says which other file begins with these bytes, and what to do; undefined if the bytes are of no known kind. */
export function describeOtherFile(head: Uint8Array): string | undefined {
  const bytes = Buffer.from(head).subarray(0, fileHeadBytes)
  return kinds.find(({ begins }) => begins(bytes))?.is
}
