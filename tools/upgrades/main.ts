import { findProgram } from './programs.ts'
import { makeFixture } from './fixture.ts'

// npm run upgrades -- fixture <release> <folder or commit>
// A folder is a checkout that is built, or a package that is installed. The database is made on the server of
// PENNANT_TEST_DATABASE_URL, and `pg_dump` is needed.

const serverUrl = process.env['PENNANT_TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const [verb, first = '', second = ''] = process.argv.slice(2)

if (verb === 'fixture' && second !== '') {
  await using program = await findProgram(second)
  await makeFixture(first, { program: program.path, from: program.name, serverUrl })
} else {
  console.error('Usage: npm run upgrades -- fixture <release> <folder or commit>')
  process.exitCode = 2
}
