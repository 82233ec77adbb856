// Web Crypto computes in other threads, which end at times that no seed decides. Here it computes
// at once, so that a seed is one history.
import { createHash, KeyObject, sign, verify, type webcrypto } from 'node:crypto'

type BufferSource = webcrypto.BufferSource
type CryptoKey = webcrypto.CryptoKey

const { subtle } = globalThis.crypto

const bytesOf = (data: BufferSource): Uint8Array =>
  ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data)

const keyOf = (key: CryptoKey) => KeyObject.from(key)

Object.defineProperties(subtle, {
  sign: {
    value: async (_: unknown, key: CryptoKey, data: BufferSource) =>
      new Uint8Array(sign('sha256', bytesOf(data), keyOf(key))).buffer,
  },
  verify: {
    value: async (_: unknown, key: CryptoKey, signature: BufferSource, data: BufferSource) =>
      verify('sha256', bytesOf(data), keyOf(key), bytesOf(signature)),
  },
  digest: {
    value: async (_: unknown, data: BufferSource) =>
      new Uint8Array(createHash('sha256').update(bytesOf(data)).digest()).buffer,
  },
})
