import type { HomeWords } from '../en/home.ts'

export const home: HomeWords = {
  title: 'Start',
}
