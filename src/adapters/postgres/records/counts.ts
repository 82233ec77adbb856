export interface StateCount<Name extends string> {
  readonly state: Name
  readonly count: number
}

/** A number for each name, those included that there are none of. */
export function countsOf<Name extends string>(
  names: readonly Name[],
  counted: readonly StateCount<Name>[],
): Record<Name, number> {
  const none = names.map((name) => [name, 0] as const)
  const some = counted.map(({ state, count }) => [state, count] as const)
  return Object.fromEntries([...none, ...some]) as Record<Name, number>
}
