const FIRST = 0.9;
const SECOND = 0.999;
const TINY = 1e-8;

/** Adam on the rows of a table; a step touches only the rows that have a gradient. */
export interface Optimiser {
  /** Adds to the gradient of a row. */
  add(row: number, gradient: Float32Array): void;
  /** Moves the rows that have a gradient, and forgets the gradients. */
  step(rate: number): void;
}

export function createOptimiser(table: Float32Array, dimensions: number): Optimiser {
  const first = new Float32Array(table.length);
  const second = new Float32Array(table.length);
  const gradients = new Float32Array(table.length);
  const isTouched = new Uint8Array(table.length / dimensions);
  let touched: number[] = [];
  let steps = 0;
  return {
    add(row, gradient) {
      if (!isTouched[row]) {
        isTouched[row] = 1;
        touched.push(row);
      }
      const at = row * dimensions;
      for (let index = 0; index < dimensions; index += 1) gradients[at + index]! += gradient[index]!;
    },
    step(rate) {
      steps += 1;
      const pace = (rate * Math.sqrt(1 - SECOND ** steps)) / (1 - FIRST ** steps);
      for (const row of touched) {
        const end = (row + 1) * dimensions;
        for (let at = row * dimensions; at < end; at += 1) {
          const gradient = gradients[at]!;
          const mean = FIRST * first[at]! + (1 - FIRST) * gradient;
          const square = SECOND * second[at]! + (1 - SECOND) * gradient * gradient;
          first[at] = mean;
          second[at] = square;
          table[at]! -= (pace * mean) / (Math.sqrt(square) + TINY);
          gradients[at] = 0;
        }
        isTouched[row] = 0;
      }
      touched = [];
    },
  };
}
