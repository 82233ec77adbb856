import type { Cooperative } from '../../domain/cooperatives/cooperative.ts'
import type { Records } from '../../ports/store.ts'

/** Of the projects that a cooperative no longer has. */
export async function removeProjectImages(
  { images }: Records,
  before: Cooperative | undefined,
  after: Cooperative,
): Promise<void> {
  const kept = new Set(after.projects.map(({ id }) => id))
  const dropped = before?.projects.filter(({ id, hasImage }) => hasImage && !kept.has(id)) ?? []
  for (const { id } of dropped) await images.remove(id, 'project')
}
