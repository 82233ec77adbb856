/** The page of the console that signs in. */
export const signInPath = '/sign-in'

/**
 * Whom a link signs in. A named operator must still have this token, and no session may have been ended since. The
 * local administrator has neither in the store.
 */
export interface Invited {
  readonly operatorId: string
  readonly tokenDigest: string
  readonly sessionsEndedAt: string
}
