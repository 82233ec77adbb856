export const cooperativeImageKinds = ['hero', 'card', 'logo'] as const
export type CooperativeImageKind = (typeof cooperativeImageKinds)[number]
export type ImageKind = CooperativeImageKind | 'project'

/** A picture of a cooperative (hero, card, logo) or of one of its projects. */
export interface Image {
  /** Id of the cooperative, or of the project. */
  readonly ownerId: string
  readonly kind: ImageKind
  readonly contentType: string
  readonly base64: string
  /** Strong entity tag, quotes included. */
  readonly etag: string
}
