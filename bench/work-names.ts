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
  'alternative-orders',
  'alternative-deliveries',
  'alternative-reads',
] as const
export type WorkName = (typeof workNames)[number]

/**
 * `instances` has no floors, `end-to-end` and the comparisons with whole alternatives take many
 * minutes, and `bench` is about tests of partners.
 */
export const onlyWhenAsked: readonly WorkName[] = [
  'instances',
  'end-to-end',
  'bench',
  'alternative-orders',
  'alternative-deliveries',
  'alternative-reads',
]
