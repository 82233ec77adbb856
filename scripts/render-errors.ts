import { type CommandCode, commandCodes, exitCodes } from '../src/cli/error-codes.ts'
import { systemCodes } from '../src/cli/explain-system-error.ts'

const meanings: Readonly<Record<number, string>> = {
  0: 'The command succeeded.',
  [exitCodes.failed]: 'The command failed, or a check found a problem.',
  [exitCodes.wrongUsage]: 'Wrong usage, or a missing input file. Nothing was changed.',
  [exitCodes.notFound]: 'What you named does not exist.',
  [exitCodes.refused]: 'A rule refused the operation.',
  [exitCodes.unreachable]: 'The service or the store cannot be reached or opened.',
}

/** @returns docs/reference/errors.md */
export function renderErrors(): string {
  const codes = Object.keys(commandCodes) as CommandCode[]
  const sections = Object.values(exitCodes).map((exit) =>
    [
      `### Exit code ${exit}`,
      '',
      '| Code | Meaning | What to do |',
      '|---|---|---|',
      ...codes.filter((code) => commandCodes[code].exit === exit).map(renderRow),
      '',
    ].join('\n'),
  )
  const { refused, unreachable } = exitCodes
  return `# Errors of the command line

Made from the table of codes by \`npm run check:help\`. [Errors of the partner API](../partners/errors.md) have a page of their own.

With \`--json\`, a failed command prints one object to standard output:

\`\`\`json
{ "error": { "code": "CLIENT_NOT_FOUND", "message": "…" } }
\`\`\`

If input is not valid, \`errors\` also has a message for each wrong field. Codes and exit codes stay the same in later versions, and new ones may be added. Messages may change. Without \`--json\`, the message goes to standard error.

## Exit codes

| Exit code | Meaning |
|---|---|
${Object.entries(meanings)
  .map(([exit, meaning]) => `| ${exit} | ${meaning} |`)
  .join('\n')}

If a command works on several things, its exit code is the highest of all. \`contract verify\`, \`signature verify\`, \`webhook test\`, \`webhook doctor\` and \`webhook certify\` print their result and end with exit code ${refused} if it is negative; \`store check\` ends with exit code ${exitCodes.failed}.

## Codes

${sections.join('\n')}
## Errors of the operating system

If the operating system refuses a file, the code is that of the system: ${systemCodes.map((code) => `\`${code}\``).join(', ')}. The message says what is wrong and what to do. Exit code ${refused}: a file that you named. Exit code ${unreachable}: a file of the data directory. Any other error of the system has its own code and exit code ${exitCodes.failed}.
`
}

function renderRow(code: CommandCode): string {
  const { meaning, advice } = commandCodes[code]
  return `| \`${code}\` | ${meaning} | ${advice} |`
}
