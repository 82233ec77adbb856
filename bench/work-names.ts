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

/** One has no floors, one takes many minutes, and one is about tests of partners. */
export const onlyWhenAsked: readonly WorkName[] = ['instances', 'end-to-end', 'bench']
