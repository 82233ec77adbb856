export const workNames = [
  'catalogue',
  'token',
  'orders',
  'reads',
  'webhook',
  'instances',
  'start',
  'end-to-end',
  'bench',
] as const
export type WorkName = (typeof workNames)[number]

/**
 * `instances` has no floors, `end-to-end` takes many minutes, and `bench` is about tests of
 * partners.
 */
export const onlyWhenAsked: readonly WorkName[] = ['instances', 'end-to-end', 'bench']
