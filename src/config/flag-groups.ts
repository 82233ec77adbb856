/** Flags that say where the store or the service is. Help explains them once, on a page of their own. */
export const connectionGroup = 'CONNECTION'
export const eventGroup = 'EVENTS AND E-MAIL'
export const backupGroup = 'BACKUPS'
export const limitGroup = 'LIMITS'
export const benchGroup = 'BENCH (STAGING ONLY)'
