import type { NotFoundMessages } from '../en/not-found.ts'

export const notFound: NotFoundMessages = {
  title: 'Nicht gefunden',
  text: 'Diese Seite gibt es nicht, oder ihr habt keinen Zugriff:',
  search: 'Seiten durchsuchen',
  found: (count) => (count === 1 ? '1 Seite' : `${count} Seiten`),
}
