/** A picture as it comes from a file. */
export interface ImageFile {
  readonly contentType: string
  readonly base64: string
}

export const maximumImageBytes = 1024 * 1024

interface ImageType {
  readonly contentType: string
  readonly extensions: readonly string[]
  /** `head` holds the first bytes, one character each. */
  hasMark(head: string): boolean
}

const imageTypes: readonly ImageType[] = [
  {
    contentType: 'image/svg+xml',
    extensions: ['svg'],
    hasMark: (head) => /^(?:\xef\xbb\xbf)?\s*</.test(head) && /<svg[\s/>]/.test(head),
  },
  {
    contentType: 'image/png',
    extensions: ['png'],
    hasMark: (head) => head.startsWith('\x89PNG\r\n\x1a\n'),
  },
  {
    contentType: 'image/jpeg',
    extensions: ['jpg', 'jpeg'],
    hasMark: (head) => head.startsWith('\xff\xd8\xff'),
  },
  {
    contentType: 'image/webp',
    extensions: ['webp'],
    hasMark: (head) => head.startsWith('RIFF') && head.startsWith('WEBP', 8),
  },
]

/** By the extension of a file's name; undefined when it is none that the service takes. */
export function imageContentType(fileName: string): string | undefined {
  const name = fileName.toLowerCase()
  const isOf = (extension: string) => name.endsWith(`.${extension}`)
  return imageTypes.find(({ extensions }) => extensions.some(isOf))?.contentType
}

/** Why the service does not take a picture, as the end of a sentence; undefined when it does. */
export function imageFault({ contentType, base64 }: ImageFile): string | undefined {
  const imageType = imageTypes.find((candidate) => candidate.contentType === contentType)
  if (!imageType) return 'must be an SVG, PNG, JPEG or WebP image'
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.toString('base64') !== base64) return 'must be in base64'
  if (bytes.length > maximumImageBytes) return `must have at most ${maximumImageBytes} bytes`
  // A declaration, a licence or a doctype may stand before the root of an SVG.
  const head = bytes.subarray(0, 4096).toString('latin1')
  return imageType.hasMark(head) ? undefined : `must be what it says: ${contentType}`
}
