import { gzipSync } from 'node:zlib'
import t from 'tap'
import { describeOtherFile } from '../../src/domain/file-kind.ts'

t.test('a file of another kind is recognized by its first bytes', async (t) => {
  const files: readonly (readonly [Uint8Array | string, RegExp])[] = [
    ['', /^is empty/],
    [gzipSync('backup'), /gzip/],
    [Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 4), /zstd/],
    [Uint8Array.of(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0), /xz/],
    ['BZh91AY&SY', /bzip2/],
    [Uint8Array.of(0x04, 0x22, 0x4d, 0x18), /lz4/],
    ['PK\u0003\u0004', /zip/],
    [Uint8Array.of(0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c), /7z/],
    [`${'b'.repeat(257)}ustar`, /tar/],
    ['age-encryption.org/v1', /age -d/],
    ['-----BEGIN AGE ENCRYPTED FILE-----', /age -d/],
    ['-----BEGIN PGP MESSAGE-----', /gpg -d/],
    [Uint8Array.of(0x85, 0x02, 0x0c, 0x03, 1), /gpg -d/],
    [Uint8Array.of(0x84, 0x5e, 0x03, 1), /gpg -d/],
    [Uint8Array.of(0x8c, 0x0d, 0x04, 0x09), /gpg -d/],
    ['Salted__abc', /openssl/],
    ['\ufeff<!DOCTYPE html>', /HTML page/],
    ['\n <html lang="de">', /HTML page/],
    ['PGDMP', /pg_restore/],
  ]
  for (const [bytes, expected] of files) {
    t.match(describeOtherFile(Buffer.from(bytes as string)), expected)
  }
})

t.test('text that a person writes is of no other kind', async (t) => {
  const texts = [
    '{"format":"coopshare-backup"',
    'organizations:',
    'name;city',
    'BZh',
    'PK',
    'Größe',
  ]
  for (const text of texts) t.equal(describeOtherFile(Buffer.from(text)), undefined, text)
})
