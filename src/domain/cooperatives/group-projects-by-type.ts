import type { Project } from './cooperative.ts'

export interface ProjectsOfType {
  readonly type: string
  readonly count: number
  /** Of those whose capacity is known; null when none is. */
  readonly capacityKw: number | null
}

/** In the order of the types' names. */
export function groupProjectsByType(projects: readonly Project[]): ProjectsOfType[] {
  const types = new Set(projects.map(({ type }) => type))
  return [...types].sort().map((type) => {
    const ofType = projects.filter((project) => project.type === type)
    return { type, count: ofType.length, capacityKw: totalCapacityKw(ofType) }
  })
}

function totalCapacityKw(projects: readonly Project[]): number | null {
  const known = projects.flatMap(({ capacityKw }) => capacityKw ?? [])
  if (known.length === 0) return null
  // To the watt: sums of binary fractions end in digits that nobody entered.
  return Math.round(known.reduce((sum, capacityKw) => sum + capacityKw) * 1000) / 1000
}
