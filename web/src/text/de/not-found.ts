import type { NotFoundWords } from '../en/not-found.ts'

export const notFound: NotFoundWords = {
  title: 'Nicht gefunden',
}
