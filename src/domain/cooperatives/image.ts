import type { Cooperative } from './cooperative.ts'

export const cooperativeImageKinds = ['hero', 'card', 'logo'] as const
export type CooperativeImageKind = (typeof cooperativeImageKinds)[number]
export const imageKinds = [...cooperativeImageKinds, 'project'] as const
export type ImageKind = (typeof imageKinds)[number]

export interface ImagePlace {
  /** Id of the cooperative, or of the project. */
  readonly ownerId: string
  readonly kind: ImageKind
}

/** An image of a cooperative (hero, card, logo) or of one of its projects. */
export interface Image extends ImagePlace {
  readonly contentType: string
  readonly base64: string
  /** Strong entity tag, quotes included. */
  readonly etag: string
}

export function imageName({ ownerId, kind }: ImagePlace): string {
  return `${kind} ${ownerId}`
}

/** The names of all images of a cooperative, including those of its projects. */
export function imageNames(cooperative: Cooperative): readonly string[] {
  const { id: ownerId, hasHeroImage, hasCardImage, hasLogoImage, projects } = cooperative
  const has = { hero: hasHeroImage, card: hasCardImage, logo: hasLogoImage }
  return [
    ...cooperativeImageKinds.filter((kind) => has[kind]).map((kind) => ({ ownerId, kind })),
    ...projects.flatMap(({ id, hasImage }) =>
      hasImage ? [{ ownerId: id, kind: 'project' } as const] : [],
    ),
  ].map(imageName)
}

/** An image read from a file. */
export interface ImageFile {
  readonly contentType: string
  readonly base64: string
}

export const maximumImageBytes = 1024 * 1024

interface ImageType {
  readonly contentType: string
  readonly extensions: readonly string[]
  /** @param head the first bytes as Latin-1 */
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

/**
 * Returns the media type for the extension of a file name; undefined if the format is not
 * supported.
 */
export function imageContentType(fileName: string): string | undefined {
  const name = fileName.toLowerCase()
  const isOf = (extension: string) => name.endsWith(`.${extension}`)
  return imageTypes.find(({ extensions }) => extensions.some(isOf))?.contentType
}

/**
 * Returns why the service refuses an image, as the end of a sentence; undefined if it accepts it.
 */
export function imageError({ contentType, base64 }: ImageFile): string | undefined {
  const imageType = imageTypes.find((candidate) => candidate.contentType === contentType)
  if (!imageType) return 'must be an SVG, PNG, JPEG or WebP image'
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.toString('base64') !== base64) return 'must be base64'
  if (bytes.length > maximumImageBytes) return `must have at most ${maximumImageBytes} bytes`
  // The root of an SVG may follow a declaration, a licence or a doctype.
  const head = bytes.subarray(0, 4096).toString('latin1')
  return imageType.hasMark(head) ? undefined : `must be ${contentType}, as declared`
}
