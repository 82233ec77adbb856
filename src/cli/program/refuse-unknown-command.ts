import { Errors, type Interfaces, ux } from '@oclif/core'
import { distance } from 'fastest-levenshtein'
import { exitCodes } from '../exit-codes.ts'

/** So many letters may be wrong: more, and the suggestion is a guess. */
const maximumDistance = 4

interface Unknown {
  readonly config: Interfaces.Config
  readonly id: string
  readonly argv: readonly string[]
}

export function refuseUnknownCommand({ config, id, argv }: Unknown): never {
  const typed = id.split(':')
  const suggestion = findSimilar(typed, config)
  const advice = suggestion
    ? `Did you mean "${config.bin} ${suggestion}"?`
    : `"${config.bin} --help" lists all commands.`
  const words = suggestion ? typed.slice(0, suggestion.split(' ').length) : typed
  const message = `There is no command "${words.join(' ')}". ${advice}`
  if (argv.includes('--json')) {
    ux.stdout(JSON.stringify({ error: { code: 'WRONG_USAGE', message } }, undefined, 2))
  } else {
    ux.stderr(`Error: ${message}`)
  }
  Errors.exit(exitCodes.wrongUsage)
}

/** The command whose words are most like the first ones typed: oclif counts arguments to the name as well. */
function findSimilar(typed: readonly string[], config: Interfaces.Config): string | undefined {
  const candidates = config.commandIDs
    .filter((id) => !config.findCommand(id)?.hidden)
    .map((id) => {
      const words = id.split(':')
      const away = distance(typed.slice(0, words.length).join(' '), words.join(' '))
      return { name: words.join(' '), away }
    })
    .sort((left, right) => left.away - right.away)
  const [best] = candidates
  return best && best.away <= maximumDistance ? best.name : undefined
}
