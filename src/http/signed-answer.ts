import { createHmac, timingSafeEqual } from 'node:crypto'

/** The body of an answer to a signed request: frames, each with a digest that rests on all before it. */
export const signedAnswerType = 'application/vnd.coopshare.signed'

interface Answered {
  readonly token: string
  /** Of the request, so that no other answer fits. */
  readonly signature: string
  readonly status: number
}

/** A frame is four bytes of length, the content, and its digest. An empty one ends the answer. */
const maximumFrameBytes = 1024 * 1024
const [lengthBytes, digestBytes] = [4, 32]

export class ForgedAnswer extends Error {}

/** Frames as the content comes. Their reader knows that each is genuine, and at the end that nothing is missing. */
export async function* sealAnswer(
  answered: Answered,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const digest = startDigests(answered)
  for await (const chunk of content) {
    for (let from = 0; from < chunk.length; from += maximumFrameBytes) {
      yield frameOf(chunk.subarray(from, from + maximumFrameBytes), digest)
    }
  }
  yield frameOf(new Uint8Array(), digest)
}

/** The content again. Fails with a `ForgedAnswer` before it hands out anything that the service has not sent. */
export async function* openAnswer(
  answered: Answered,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const digest = startDigests(answered)
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of bytes) {
    rest = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk])
    for (let size = frameSize(rest); size !== undefined; size = frameSize(rest)) {
      const content = rest.subarray(lengthBytes, size - digestBytes)
      if (!timingSafeEqual(rest.subarray(size - digestBytes, size), digest(content))) {
        throw new ForgedAnswer('A part of the answer has a wrong digest.')
      }
      rest = rest.subarray(size)
      if (content.length === 0) return
      yield content
    }
  }
  throw new Error('The answer ended early.')
}

/** undefined as long as the first frame has not come whole. */
function frameSize(bytes: Buffer): number | undefined {
  if (bytes.length < lengthBytes) return undefined
  const length = bytes.readUInt32BE(0)
  if (length > maximumFrameBytes) throw new ForgedAnswer('A part of the answer is too long.')
  const size = lengthBytes + length + digestBytes
  return bytes.length < size ? undefined : size
}

type Digest = (content: Uint8Array) => Buffer

function frameOf(content: Uint8Array, digest: Digest): Uint8Array {
  const length = Buffer.alloc(lengthBytes)
  length.writeUInt32BE(content.length)
  return Buffer.concat([length, content, digest(content)])
}

function startDigests({ token, signature, status }: Answered): Digest {
  const start = `coopshare-answer-1\n${signature}\n${status}\n`
  let last = createHmac('sha256', token).update(start).digest()
  return (content) => {
    last = createHmac('sha256', token).update(last).update(content).digest()
    return last
  }
}
