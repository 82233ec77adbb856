import { format } from 'node:util'
import { Help, type Interfaces } from '@oclif/core'
import { normalizeArgv } from '@oclif/core/help'
import { unknownCommand } from './unknown-command.ts'

/** @param words of a command or of a topic, and what may come behind them; none for all there is */
export async function readHelp(
  config: Interfaces.Config,
  words: readonly string[],
): Promise<string> {
  const [id = ''] = normalizeArgv(config, [...words])
  return new HelpText(config).of(id)
}

/** What oclif would print. */
class HelpText extends Help {
  #lines: string[] = []

  async of(id: string): Promise<string> {
    const command = this.config.findCommand(id)
    const topic = this.config.findTopic(id)
    if (command) await this.showCommandHelp(command)
    else if (topic) await this.showTopicHelp(topic)
    else if (id === '') await this.showRootHelp()
    else throw unknownCommand(this.config, id)
    return this.#lines.join('\n').trimEnd()
  }

  protected override log(...words: string[]): void {
    this.#lines.push(format(...words))
  }
}
