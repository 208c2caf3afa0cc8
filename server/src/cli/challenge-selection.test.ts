import { expect, test } from 'vitest'
import { shareChallengeSite } from '../../test/challenge-folder.ts'

const site = shareChallengeSite()
const { write, plan, apply, stored } = site

test('keeps going: applies what is right, says what is not, and deletes nothing then', async () => {
  const other = (name: string, more: string) => `name: ${name}\nhidden: true\n${more}`
  await write({
    'web/right/challenge.yaml': other('Right', ''),
    'web/typo/challenge.yaml': other('Typo', 'hiden: true\n'),
    'web/leak/challenge.yaml': other('Leak', 'flags: [{ flag: "flag{in_the_file}" }]\n'),
    'web/leak/files/a.txt': 'flag{in_the_file}',
    // Only the server knows the kinds of flags.
    'web/kind/challenge.yaml': other('Kind', 'flags: [{ kind: telepathy }]\n'),
    'web/one/challenge.yaml': `id: same\n${other('One', '')}`,
    'web/two/challenge.yaml': `id: same\n${other('Two', '')}`,
  })
  const stopped = await apply()
  expect(stopped.status).toBe(1)
  expect(stopped.complaints).toMatch(/3 of 6 challenges are fine\. Found 3 errors; nothing was changed\.$/)
  const applied = await apply('--keep-going', '--prune')
  expect(applied.status).toBe(3)
  expect(applied.output).toMatch(/1 change: 1 to create, 0 to change, 0 to delete\nApplied\.$/)
  expect(applied.complaints).toMatch(
    /2 of 6 challenges are fine\. Found 4 errors; those challenges were left out\.$/,
  )
  expect(await stored('right')).toMatchObject({ name: 'Right' })
  for (const id of ['typo', 'leak', 'kind', 'same']) expect(await stored(id)).toBeUndefined()
  const others = ['typo', 'leak', 'kind', 'one', 'two'].flatMap((name) => ['--exclude', `web/${name}`])
  expect(await plan(...others)).toMatchObject({ status: 0, output: '0 changes' })
  expect(await plan('--only', 'right')).toMatchObject({ status: 0, output: '0 changes' })
  const misspelt = await plan('--only', 'right', '--only', 'wrigth')
  expect(misspelt.status).toBe(1)
  expect(misspelt.complaints).toContain('error: --only wrigth matches no path or id of a challenge')
})

test('what --exclude leaves out is never deleted', async () => {
  await write({ 'web/left/challenge.yaml': 'name: Left\n', 'web/broken/challenge.yaml': 'name: Broken\n' })
  await apply()
  await write({ 'web/broken/challenge.yaml': 'name: [\n' })
  const known = await apply('--exclude', 'left', '--only', 'web/left', '--prune')
  expect(known.complaints).toContain('web/broken/challenge.yaml: error: is left out and cannot be read')
  expect(known.status).toBe(1)
  await write({ 'web/broken/challenge.yaml': 'name: Broken\n' })
  await apply('--exclude', 'left', '--prune')
  expect(await stored('left')).toBeDefined()
  expect(await stored('broken')).toBeDefined()
})

test('a flag that YAML cut at a comment is an error, unless it is allowed', async () => {
  await write({
    'web/cut/challenge.yaml': 'name: Cut\nflags:\n  - flag: flag{a #b}\n',
    'web/whole/challenge.yaml': 'name: Whole\nflags:\n  - flag: "flag{a #b}"\n',
  })
  const { status, complaints } = await plan()
  expect(status).toBe(1)
  expect(complaints).toMatch(/^web\/cut\/challenge\.yaml:2: error: flags: .*" #" begins a comment/m)
  expect(complaints).not.toContain('web/whole')
  expect((await plan('--allow', 'flag-cut')).status).toBe(3)
})
