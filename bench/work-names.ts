export const workNames = [
  'catalogue',
  'token',
  'orders',
  'reads',
  'webhook',
  'instances',
  'start',
  'end-to-end',
] as const
export type WorkName = (typeof workNames)[number]

/** One has no floors, and the other takes many minutes. */
export const onlyWhenAsked: readonly WorkName[] = ['instances', 'end-to-end']
