import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'

const COLUMNS = 3
const ROWS = 2
const CELL = { width: 620, height: 460 }
const LABEL_HEIGHT = 24

/** Creates contact sheets of all pictures in a folder for quick review, six labelled pictures per sheet. */
export async function makeSheets(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.png') && !name.startsWith('sheet-'))
  const sheets: string[] = []
  for (let first = 0; first < names.length; first += COLUMNS * ROWS) {
    const path = join(folder, `sheet-${String(sheets.length + 1).padStart(3, '0')}.png`)
    await makeSheet(folder, names.sort().slice(first, first + COLUMNS * ROWS), path)
    sheets.push(path)
  }
  return sheets
}

async function makeSheet(folder: string, names: readonly string[], path: string): Promise<void> {
  const parts = await Promise.all(
    names.map(async (name, index) => {
      const left = (index % COLUMNS) * CELL.width
      const top = Math.floor(index / COLUMNS) * (CELL.height + LABEL_HEIGHT)
      const picture = await sharp(join(folder, name))
        .resize({ ...CELL, fit: 'inside', withoutEnlargement: true })
        .toBuffer()
      return [
        { input: labelOf(name), left, top },
        { input: picture, left, top: top + LABEL_HEIGHT },
      ]
    }),
  )
  const width = COLUMNS * CELL.width
  const height = ROWS * (CELL.height + LABEL_HEIGHT)
  await sharp({ create: { width, height, channels: 3, background: '#808080' } })
    .composite(parts.flat())
    .toFile(path)
}

function labelOf(name: string): Buffer {
  const text = `<text x="4" y="17" font-family="sans-serif" font-size="14" fill="#fff">${name}</text>`
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${CELL.width - 8}" height="${LABEL_HEIGHT}">${text}</svg>`,
  )
}
