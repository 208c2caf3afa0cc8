import { makeFixture } from './fixture.ts'
import { findProgram } from './programs.ts'
import { rollOver } from './rolling.ts'

// npm run upgrades -- fixture <release> <version>: writes the fixture of a release
// npm run upgrades -- rolling <from> <to>: a rolling update between two versions under load; needs `haproxy`
// A version is the folder of a built checkout or an installed package, or a commit. The database is created on the server of
// PENNANT_TEST_DATABASE_URL, and `pg_dump` reads it.

const serverUrl = process.env['PENNANT_TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const [verb, first = '', second = ''] = process.argv.slice(2)

if (verb === 'fixture' && second !== '') {
  await using program = await findProgram(second)
  await makeFixture(first, { program: program.path, from: program.name, serverUrl })
} else if (verb === 'rolling' && second !== '') {
  await using from = await findProgram(first)
  await using to = await findProgram(second)
  const { rows, seconds, requests, failures, lost, verified } = await rollOver({
    from: from.path,
    to: to.path,
    serverUrl,
  })
  for (const line of [...failures, ...lost.map((each) => `lost: ${each}`)]) console.log(line)
  console.log(verified.trim())
  const { reads, writes, pages } = requests
  console.log(
    `${from.name} to ${to.name}: ${rows} rows, ${seconds} s, ${reads} reads, ${writes} writes and ${pages} files, ` +
      `${failures.length} failed, ${lost.length} lost`,
  )
  process.exitCode = failures.length + lost.length > 0 ? 1 : 0
} else {
  console.error('Usage: npm run upgrades -- fixture <release> <version>, or rolling <from> <to>')
  process.exitCode = 2
}
