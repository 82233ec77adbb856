import type { Cooperative, Project } from './cooperative.ts'
import type { CooperativeImageKind } from './image.ts'
import type { ImageFile } from './image-file.ts'

type Managed = 'id' | 'published' | 'projects' | 'createdAt' | 'updatedAt'
type HasImages = 'hasHeroImage' | 'hasCardImage' | 'hasLogoImage'

/** What an operator says a cooperative is. It stands for the whole of it: what it leaves out is not set. */
export interface CooperativeDefinition extends Omit<Cooperative, Managed | HasImages> {
  /** Derived from the key when it is not given. */
  readonly id: string | undefined
  /** Left as it is, and false at first, when it is not given. */
  readonly published: boolean | undefined
  readonly images: Readonly<Partial<Record<CooperativeImageKind, ImageFile>>>
  readonly projects: readonly ProjectDefinition[]
}

export interface ProjectDefinition extends Omit<Project, 'id' | 'hasImage'> {
  /** Derived from the cooperative's key and the project's name when it is not given. */
  readonly id: string | undefined
  readonly image: ImageFile | undefined
}
