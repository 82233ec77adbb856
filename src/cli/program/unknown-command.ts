import type { Errors, Interfaces } from '@oclif/core'
import { invalid } from '../../config/invalid.ts'
import { lettersApart } from '../letters-apart.ts'

/** @param id `purchase:aprove`, and arguments that may have been meant */
export function unknownCommand(config: Interfaces.Config, id: string): Errors.CLIError {
  const typed = id.split(':')
  const suggestion = findSimilar(typed, config)
  const count = suggestion?.split(' ').length ?? typed.length
  const [words, others] = [typed.slice(0, count).join(' '), typed.slice(count).join(' ')]
  const message =
    words === suggestion
      ? `"${config.bin} ${words}" takes no arguments: leave out "${others}".`
      : `There is no command "${words}". ${adviseOn(typed, config, suggestion)}`
  return invalid(message)
}

function adviseOn(
  [topic = '']: readonly string[],
  config: Interfaces.Config,
  suggestion: string | undefined,
): string {
  if (suggestion !== undefined) return `Did you mean "${config.bin} ${suggestion}"?`
  return config.findTopic(topic)
    ? `"${config.bin} ${topic} --help" lists those that begin like that.`
    : `"${config.bin} --help" lists all commands.`
}

/** The command whose words are most like the first ones typed: oclif counts arguments to the name as well. */
function findSimilar(typed: readonly string[], config: Interfaces.Config): string | undefined {
  const [best] = namesOf(config, typed.length === 1)
    .map((words) => ({ name: words.join(' '), away: distanceOf(typed, words) }))
    .filter(({ away }) => Number.isFinite(away))
    .sort((left, right) => left.away - right.away)
  return best?.name
}

function namesOf(config: Interfaces.Config, withTopics: boolean): string[][] {
  const commands = config.commandIDs.filter((id) => !config.findCommand(id)?.hidden)
  const topics = withTopics ? config.topics.map(({ name }) => name) : []
  return [...commands, ...topics].map((id) => id.split(':'))
}

/** All words together; infinite where one of them is another word. */
function distanceOf(typed: readonly string[], words: readonly string[]): number {
  const away = words.map((word, index) => lettersApart(typed[index] ?? '', word))
  return away.reduce((sum, letters) => sum + letters, 0)
}
