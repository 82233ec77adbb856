import { array, enums, nonempty } from 'superstruct'
import { scopes } from '../../domain/oauth/scope.ts'

/** A client that holds no scope could only ask who it is. */
export const someScopes = nonempty(array(enums(scopes)))
