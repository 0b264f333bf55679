// What events tell in short is asked for: a few one by one and at once, a flood of them all together and not too often.

const FEW = 10
const WINDOW = 1000 // ms

export function oneOrAll(one: (id: string) => void, all: () => Promise<void>): (id: string) => void {
  let told = 0
  let watched = false
  const over = async () => {
    const flood = told > FEW
    told = 0
    watched = flood
    if (!flood) return
    await all()
    setTimeout(over, WINDOW)
  }
  return id => {
    if (!watched) setTimeout(over, WINDOW)
    watched = true
    if (++told <= FEW) one(id)
  }
}
