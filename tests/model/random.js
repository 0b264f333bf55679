'use strict';
// A generator of random numbers with a seed (mulberry32), and what is drawn with it.
class Random {
    constructor(seed) {
        this.state = seed >>> 0;
    }

    next() {
        this.state = (this.state + 0x6d2b79f5) >>> 0;
        let t = this.state;
        t = Math.imul(t ^ (t >>> 15), t | 1);
        t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    }

    below(n) {
        return Math.floor(this.next() * n);
    }

    chance(p) {
        return this.next() < p;
    }

    pick(list) {
        return list[this.below(list.length)];
    }

    // [[weight, value], ...]
    weighted(pairs) {
        let left = this.next() * pairs.reduce((sum, [weight]) => sum + weight, 0);
        for (const [weight, value] of pairs)
            if ((left -= weight) < 0)
                return value;
        return pairs[pairs.length - 1][1];
    }

    shuffled(list) {
        const out = [...list];
        for (let i = out.length - 1; i > 0; i--) {
            const j = this.below(i + 1);
            [out[i], out[j]] = [out[j], out[i]];
        }
        return out;
    }
}

module.exports = { Random };
