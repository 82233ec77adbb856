import type { Cooperative } from './cooperative.ts'

export const cooperativeImageKinds = ['hero', 'card', 'logo'] as const
export type CooperativeImageKind = (typeof cooperativeImageKinds)[number]
export type ImageKind = CooperativeImageKind | 'project'

export interface ImagePlace {
  /** Id of the cooperative, or of the project. */
  readonly ownerId: string
  readonly kind: ImageKind
}

/** A picture of a cooperative (hero, card, logo) or of one of its projects. */
export interface Image extends ImagePlace {
  readonly contentType: string
  readonly base64: string
  /** Strong entity tag, quotes included. */
  readonly etag: string
}

export function imageNameOf({ ownerId, kind }: ImagePlace): string {
  return `${kind} ${ownerId}`
}

/** The names of all pictures that a cooperative has, its projects included. */
export function imageNamesOf(cooperative: Cooperative): readonly string[] {
  const { id: ownerId, hasHeroImage, hasCardImage, hasLogoImage, projects } = cooperative
  const has = { hero: hasHeroImage, card: hasCardImage, logo: hasLogoImage }
  return [
    ...cooperativeImageKinds.filter((kind) => has[kind]).map((kind) => ({ ownerId, kind })),
    ...projects.flatMap(({ id, hasImage }) =>
      hasImage ? [{ ownerId: id, kind: 'project' } as const] : [],
    ),
  ].map(imageNameOf)
}
