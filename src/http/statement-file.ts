/**
 * A statement of a bank can be larger than all other inputs. So commands send it as the body, and the service reads it as it
 * arrives.
 */
export const statementFilePath = '/operations/statement.import/file'
