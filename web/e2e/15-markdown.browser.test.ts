import { expect, test } from 'vitest'
import { announced, openSite, type Site } from './harness.ts'

// Descriptions as players see them: formulas, footnotes, code, links of other programs, and text that only looks like HTML.

const DESCRIPTION = String.raw`
Factor $n = p \cdot q$ with \(e = 3\)[^size], given

$$
c \equiv m^e \pmod{n} \qquad
\begin{pmatrix} a & b \\ c & d \end{pmatrix}
$$

It costs $5 and $6, \$7, US$5 or "$HOME/$USER", and ${'`$x$`'} stays code. $\frac{1$ is wrong.

Send <flag> as vector<int> or <std::string>, <your name>, not <b>bold</b><!-- gone -->.

<flag>
on a *line*[^two][^size][^none]

| a | b |
|---|---|
| $x_1$ | [ssh](ssh://ctf@host:22) [irc](ircs://irc.example/ctf) [mail](mailto:a@ctf.example) |

[bad](javascript:alert(1)) [disk](file:///etc/passwd) <vbscript:x>

${'```'}python
from pwn import *  # a comment
io = remote("host", 1337)
print(f"<b>{len(io.recv())}</b>")
${'```'}

[^size]: 2048 bits, with $e$ small.
    A second line.
[^two]: Two **notes**.

    And a paragraph.
`

async function openDescription(site: Site, description: string) {
  await site.addChallenge('text', { description })
  const page = await site.visitor()
  await page.goto('/challenges/text')
  return { page, main: page.getByRole('main') }
}

test('a description has formulas, footnotes, coloured code and literal text', async () => {
  await using site = await openSite()
  const { page, main } = await openDescription(site, DESCRIPTION)
  await page.locator('.hljs-comment').waitFor()
  const formulas = await page
    .locator('math')
    .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
  expect(formulas).toEqual([
    String.raw`n = p \cdot q`,
    'e = 3',
    expect.stringContaining('pmatrix'),
    'x_1',
    'e',
  ])
  const text = await main.innerText()
  for (const shown of [
    'It costs $5 and $6, $7, US$5 or "$HOME/$USER", and $x$ stays code.',
    String.raw`$\frac{1$ is wrong`,
    'Send <flag> as vector<int> or <std::string>, <your name>, not bold.',
    '<flag> on a line',
    '[^none]',
    '<vbscript:x>',
  ])
    expect(text).toContain(shown)
  const links = await main.locator('a[href]').evaluateAll((all) => all.map((one) => one.getAttribute('href')))
  expect(links).toEqual(
    expect.arrayContaining(['ssh://ctf@host:22', 'ircs://irc.example/ctf', 'mailto:a@ctf.example']),
  )
  expect(links.join(' ')).not.toMatch(/javascript|file:/)
  expect(site.complaints).toEqual([])
})

test('a footnote leads to its text and back', async () => {
  await using site = await openSite()
  const { page, main } = await openDescription(site, 'a[^x]\n\n[^x]: note\n')
  const reference = main.locator('sup a')
  const back = main.getByRole('link', { name: 'Back to reference 1 in the text' })
  const idOf = (address: string | null) => (address ?? '').slice(1)
  await reference.click()
  const note = main.locator(`[id="${idOf(await reference.getAttribute('href'))}"]`)
  expect(await note.innerText()).toContain('note')
  expect(await page.evaluate(() => document.querySelector(':target')?.localName)).toBe('li')
  await back.click()
  expect(await page.evaluate(() => document.querySelector(':target')?.textContent)).toBe('1')
  expect(site.complaints).toEqual([])
})

test('only texts with formulas or code load what shows them, and code keeps its size', async () => {
  await using site = await openSite()
  await site.addChallenge('plain', { description: 'Costs $5, *not* code.\n\n```\nplain\n```' })
  const { page } = await openDescription(site, '# Title\n\n```python\nimport os\n```\n')
  const highlighter = '**/highlight-*.js'
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route(highlighter, async (route) => {
    await held
    await route.continue()
  })
  await page.reload()
  const code = page.locator('pre code')
  // Widths of a text in several elements are rounded to 1/64 of a pixel each.
  const sizeOf = async () => Object.values((await code.boundingBox()) ?? {}).map(Math.round)
  const before = await sizeOf()
  release()
  await page.locator('.hljs-keyword').waitFor()
  expect(await sizeOf()).toEqual(before)
  const other = await site.visitor()
  const scripts: string[] = []
  other.on('request', (request) => scripts.push(request.url()))
  await other.goto('/challenges/plain')
  await other.locator('pre').waitFor()
  await other.waitForLoadState('networkidle')
  expect(scripts.filter((url) => /\/(?:typeset|highlight)-/.test(url))).toEqual([])
  expect(site.complaints).toEqual([])
})

test('a picture of another site is a link until organisers allow it', async () => {
  await using site = await openSite()
  const { page, main } = await openDescription(
    site,
    '![A map](https://maps.invalid/a.png) ![own](/favicon.svg)',
  )
  await main.getByText('A map').waitFor()
  expect(await main.innerText()).toContain('(picture on maps.invalid, not loaded)')
  expect(await main.getByRole('link', { name: 'A map' }).getAttribute('href')).toBe(
    'https://maps.invalid/a.png',
  )
  expect(await main.locator('img').evaluateAll((all) => all.map((one) => one.getAttribute('src')))).toEqual([
    '/favicon.svg',
  ])
  const organiser = await site.visitor({ team: await site.contest.admin() })
  await organiser.goto('/admin/settings')
  await organiser.getByRole('switch', { name: 'Show pictures of other sites in texts' }).click()
  await organiser.getByRole('button', { name: 'Save' }).click()
  await announced(organiser, 'Saved').waitFor()
  const requested = page.waitForRequest('https://maps.invalid/a.png')
  await page.route('https://maps.invalid/**', (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
  )
  await page.reload()
  await requested
  expect(await main.innerText()).not.toContain('not loaded')
  expect(site.complaints).toEqual([])
})

test('the editor names pictures that readers will not see', async () => {
  await using site = await openSite()
  await site.addChallenge('text', {
    description: '![](map.png) ![](https://maps.invalid/a.png) ![](/favicon.svg)',
  })
  const organiser = await site.visitor({ team: await site.contest.admin() })
  await organiser.goto('/admin/challenges/text')
  await organiser
    .getByText('Readers do not see these pictures: map.png, https://maps.invalid/a.png. Drop')
    .waitFor()
  expect(site.complaints).toEqual([])
})

test('without the code editor, a text area takes the text', async () => {
  await using site = await openSite()
  const organiser = await site.visitor({ team: await site.contest.admin() })
  await organiser.route(/\/code-mirror-/, (route) => route.abort())
  await organiser.goto('/admin/settings')
  await organiser.getByRole('textbox', { name: 'Home page content' }).fill('**Welcome**')
  await organiser.getByRole('button', { name: 'Save' }).click()
  await announced(organiser, 'Saved').waitFor()
  const visitor = await site.visitor()
  await visitor.goto('/')
  await visitor.locator('strong', { hasText: 'Welcome' }).waitFor()
})
