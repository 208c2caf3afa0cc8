import type { NotFoundWords } from '../en/not-found.ts'

export const notFound: NotFoundWords = {
  title: 'Nicht gefunden',
  text: 'Diese Seite gibt es nicht, oder sie steht euch nicht offen:',
  search: 'Seiten durchsuchen',
  found: (count) => (count === 1 ? 'Eine Seite' : `${count} Seiten`),
}
