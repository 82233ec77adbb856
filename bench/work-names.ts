export const workNames = [
  'catalogue',
  'token',
  'orders',
  'reads',
  'webhook',
  'instances',
  'start',
] as const
export type WorkName = (typeof workNames)[number]

/** It has no floors. */
export const onlyWhenAsked: WorkName = 'instances'
