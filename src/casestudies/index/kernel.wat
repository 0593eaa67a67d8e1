;; The inner loops of searches in memory. `npx bun scripts/generate-kernel.ts` writes them as bytes into kernel.ts.
(module
  (memory (export "memory") 1)

  ;; Adds up, for each row, the entries of the table that its codes name.
  ;; $codes: blocks of 32 rows; in a block 32 bytes for each pair of groups, one a row, whose low half is the code of the
  ;;   first group; a row's sum is at the place of its byte, even bytes before odd ones in each half of a block
  ;; $table: 16 bytes a group, each below 128
  ;; $sums: 64 bytes a block
  (func (export "sum") (param $codes i32) (param $blocks i32) (param $pairs i32) (param $table i32) (param $sums i32)
    (local $pair i32) (local $entry i32)
    (local $nibble v128) (local $low v128) (local $first v128) (local $second v128) (local $bytes v128)
    (local $even1 v128) (local $odd1 v128) (local $even2 v128) (local $odd2 v128)
    (local.set $nibble (i8x16.splat (i32.const 15)))
    (local.set $low (i16x8.splat (i32.const 255)))
    (loop $block
      (local.set $even1 (v128.const i64x2 0 0))
      (local.set $odd1 (v128.const i64x2 0 0))
      (local.set $even2 (v128.const i64x2 0 0))
      (local.set $odd2 (v128.const i64x2 0 0))
      (local.set $pair (local.get $pairs))
      (local.set $entry (local.get $table))
      (loop $next
        (local.set $first (v128.load (local.get $entry)))
        (local.set $second (v128.load offset=16 (local.get $entry)))
        (local.set $bytes (v128.load (local.get $codes)))
        (local.set $bytes (i8x16.add
          (i8x16.swizzle (local.get $first) (v128.and (local.get $bytes) (local.get $nibble)))
          (i8x16.swizzle (local.get $second)
            (v128.and (i16x8.shr_u (local.get $bytes) (i32.const 4)) (local.get $nibble)))))
        (local.set $even1 (i16x8.add (local.get $even1) (v128.and (local.get $bytes) (local.get $low))))
        (local.set $odd1 (i16x8.add (local.get $odd1) (i16x8.shr_u (local.get $bytes) (i32.const 8))))
        (local.set $bytes (v128.load offset=16 (local.get $codes)))
        (local.set $bytes (i8x16.add
          (i8x16.swizzle (local.get $first) (v128.and (local.get $bytes) (local.get $nibble)))
          (i8x16.swizzle (local.get $second)
            (v128.and (i16x8.shr_u (local.get $bytes) (i32.const 4)) (local.get $nibble)))))
        (local.set $even2 (i16x8.add (local.get $even2) (v128.and (local.get $bytes) (local.get $low))))
        (local.set $odd2 (i16x8.add (local.get $odd2) (i16x8.shr_u (local.get $bytes) (i32.const 8))))
        (local.set $codes (i32.add (local.get $codes) (i32.const 32)))
        (local.set $entry (i32.add (local.get $entry) (i32.const 32)))
        (br_if $next (local.tee $pair (i32.sub (local.get $pair) (i32.const 1)))))
      (v128.store (local.get $sums) (local.get $even1))
      (v128.store offset=16 (local.get $sums) (local.get $odd1))
      (v128.store offset=32 (local.get $sums) (local.get $even2))
      (v128.store offset=48 (local.get $sums) (local.get $odd2))
      (local.set $sums (i32.add (local.get $sums) (i32.const 64)))
      (br_if $block (local.tee $blocks (i32.sub (local.get $blocks) (i32.const 1))))))

  ;; Writes the places of the sums that reach $least, 32 bits each. Returns how many.
  (func (export "select") (param $sums i32) (param $count i32) (param $least i32) (param $out i32) (result i32)
    (local $at i32) (local $mask i32) (local $start i32) (local $limit v128)
    (local.set $start (local.get $out))
    (local.set $limit (i16x8.splat (local.get $least)))
    (loop $next
      (local.set $mask (i16x8.bitmask (i16x8.ge_u (v128.load (local.get $sums)) (local.get $limit))))
      (block $none
        (loop $bit
          (br_if $none (i32.eqz (local.get $mask)))
          (i32.store (local.get $out) (i32.add (local.get $at) (i32.ctz (local.get $mask))))
          (local.set $out (i32.add (local.get $out) (i32.const 4)))
          (local.set $mask (i32.and (local.get $mask) (i32.sub (local.get $mask) (i32.const 1))))
          (br $bit)))
      (local.set $sums (i32.add (local.get $sums) (i32.const 16)))
      (local.set $at (i32.add (local.get $at) (i32.const 8)))
      (br_if $next (i32.lt_u (local.get $at) (local.get $count))))
    (i32.shr_u (i32.sub (local.get $out) (local.get $start)) (i32.const 2)))

  ;; Writes the scalar products of a vector of 16-bit numbers and the rows at these places, of 8-bit numbers. Four rows at
  ;; once: most are not in the processor's cache, and it waits for all four together.
  ;; $dimensions: a multiple of 16
  ;; $count: a multiple of four
  (func (export "dot") (param $query i32) (param $vectors i32) (param $dimensions i32)
      (param $places i32) (param $count i32) (param $out i32)
    (local $row1 i32) (local $row2 i32) (local $row3 i32) (local $row4 i32) (local $at i32) (local $end i32)
    (local $low v128) (local $high v128) (local $eight v128)
    (local $sum1 v128) (local $sum2 v128) (local $sum3 v128) (local $sum4 v128)
    (local.set $end (i32.add (local.get $query) (i32.shl (local.get $dimensions) (i32.const 1))))
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $row1 (i32.add (local.get $vectors)
          (i32.mul (i32.load offset=0 (local.get $places)) (local.get $dimensions))))
        (local.set $row2 (i32.add (local.get $vectors)
          (i32.mul (i32.load offset=4 (local.get $places)) (local.get $dimensions))))
        (local.set $row3 (i32.add (local.get $vectors)
          (i32.mul (i32.load offset=8 (local.get $places)) (local.get $dimensions))))
        (local.set $row4 (i32.add (local.get $vectors)
          (i32.mul (i32.load offset=12 (local.get $places)) (local.get $dimensions))))
        (local.set $at (local.get $query))
        (local.set $sum1 (v128.const i64x2 0 0))
        (local.set $sum2 (v128.const i64x2 0 0))
        (local.set $sum3 (v128.const i64x2 0 0))
        (local.set $sum4 (v128.const i64x2 0 0))
        (loop $sixteen
          (local.set $low (v128.load (local.get $at)))
          (local.set $high (v128.load offset=16 (local.get $at)))
          (local.set $eight (v128.load (local.get $row1)))
          (local.set $row1 (i32.add (local.get $row1) (i32.const 16)))
          (local.set $sum1 (i32x4.add (local.get $sum1) (i32x4.add
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $eight)) (local.get $low))
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $eight)) (local.get $high)))))
          (local.set $eight (v128.load (local.get $row2)))
          (local.set $row2 (i32.add (local.get $row2) (i32.const 16)))
          (local.set $sum2 (i32x4.add (local.get $sum2) (i32x4.add
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $eight)) (local.get $low))
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $eight)) (local.get $high)))))
          (local.set $eight (v128.load (local.get $row3)))
          (local.set $row3 (i32.add (local.get $row3) (i32.const 16)))
          (local.set $sum3 (i32x4.add (local.get $sum3) (i32x4.add
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $eight)) (local.get $low))
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $eight)) (local.get $high)))))
          (local.set $eight (v128.load (local.get $row4)))
          (local.set $row4 (i32.add (local.get $row4) (i32.const 16)))
          (local.set $sum4 (i32x4.add (local.get $sum4) (i32x4.add
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $eight)) (local.get $low))
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $eight)) (local.get $high)))))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (br_if $sixteen (i32.lt_u (local.get $at) (local.get $end))))
        (i32.store offset=0 (local.get $out) (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $sum1)) (i32x4.extract_lane 1 (local.get $sum1)))
          (i32.add (i32x4.extract_lane 2 (local.get $sum1)) (i32x4.extract_lane 3 (local.get $sum1)))))
        (i32.store offset=4 (local.get $out) (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $sum2)) (i32x4.extract_lane 1 (local.get $sum2)))
          (i32.add (i32x4.extract_lane 2 (local.get $sum2)) (i32x4.extract_lane 3 (local.get $sum2)))))
        (i32.store offset=8 (local.get $out) (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $sum3)) (i32x4.extract_lane 1 (local.get $sum3)))
          (i32.add (i32x4.extract_lane 2 (local.get $sum3)) (i32x4.extract_lane 3 (local.get $sum3)))))
        (i32.store offset=12 (local.get $out) (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $sum4)) (i32x4.extract_lane 1 (local.get $sum4)))
          (i32.add (i32x4.extract_lane 2 (local.get $sum4)) (i32x4.extract_lane 3 (local.get $sum4)))))
        (local.set $places (i32.add (local.get $places) (i32.const 16)))
        (local.set $out (i32.add (local.get $out) (i32.const 16)))
        (local.set $count (i32.sub (local.get $count) (i32.const 4)))
        (br $next))))

  ;; Adds what each posting of a term contributes to the score of its row, as BM25 has it.
  ;; $postings: 32 bits each, the frequency in the lowest four
  ;; $lengths: of each row, 16 bits; $damping: of each length; $scores: of each row
  (func (export "score") (param $postings i32) (param $count i32) (param $weight f64)
      (param $lengths i32) (param $damping i32) (param $scores i32)
    (local $row i32) (local $score i32) (local $frequency f64)
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $row (i32.shr_u (i32.load (local.get $postings)) (i32.const 4)))
        (local.set $frequency (f64.convert_i32_u (i32.and (i32.load (local.get $postings)) (i32.const 15))))
        (local.set $score (i32.add (local.get $scores) (i32.shl (local.get $row) (i32.const 2))))
        (f32.store (local.get $score) (f32.demote_f64 (f64.add
          (f64.promote_f32 (f32.load (local.get $score)))
          (f64.div
            (f64.mul (local.get $weight) (local.get $frequency))
            (f64.add (local.get $frequency) (f64.promote_f32 (f32.load (i32.add (local.get $damping) (i32.shl
              (i32.load16_u (i32.add (local.get $lengths) (i32.shl (local.get $row) (i32.const 1))))
              (i32.const 2))))))))))
        (local.set $postings (i32.add (local.get $postings) (i32.const 4)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $next))))

  ;; Writes the places of the scores above $least, 32 bits each. Returns how many.
  ;; $count: a multiple of four, not zero
  (func (export "above") (param $scores i32) (param $count i32) (param $least f32) (param $out i32) (result i32)
    (local $at i32) (local $mask i32) (local $start i32) (local $limit v128)
    (local.set $start (local.get $out))
    (local.set $limit (f32x4.splat (local.get $least)))
    (loop $next
      (local.set $mask (i32x4.bitmask (f32x4.gt (v128.load (local.get $scores)) (local.get $limit))))
      (block $none
        (loop $bit
          (br_if $none (i32.eqz (local.get $mask)))
          (i32.store (local.get $out) (i32.add (local.get $at) (i32.ctz (local.get $mask))))
          (local.set $out (i32.add (local.get $out) (i32.const 4)))
          (local.set $mask (i32.and (local.get $mask) (i32.sub (local.get $mask) (i32.const 1))))
          (br $bit)))
      (local.set $scores (i32.add (local.get $scores) (i32.const 16)))
      (local.set $at (i32.add (local.get $at) (i32.const 4)))
      (br_if $next (i32.lt_u (local.get $at) (local.get $count))))
    (i32.shr_u (i32.sub (local.get $out) (local.get $start)) (i32.const 2))))
