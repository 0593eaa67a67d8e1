;; Compares a vector with many others. `bun scripts/generate-kernel.ts` writes it as bytes into vector-kernel.ts.
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

  ;; Writes the scalar products of a vector of 16-bit numbers and the rows at these places, of 8-bit numbers.
  ;; $dimensions: a multiple of 16
  (func (export "dot") (param $query i32) (param $vectors i32) (param $dimensions i32)
      (param $places i32) (param $count i32) (param $out i32)
    (local $row i32) (local $at i32) (local $end i32) (local $eight v128) (local $one v128) (local $two v128)
    (local.set $end (i32.add (local.get $query) (i32.shl (local.get $dimensions) (i32.const 1))))
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $row (i32.add (local.get $vectors)
          (i32.mul (i32.load (local.get $places)) (local.get $dimensions))))
        (local.set $at (local.get $query))
        (local.set $one (v128.const i64x2 0 0))
        (local.set $two (v128.const i64x2 0 0))
        (loop $sixteen
          (local.set $eight (v128.load (local.get $row)))
          (local.set $one (i32x4.add (local.get $one)
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $eight)) (v128.load (local.get $at)))))
          (local.set $two (i32x4.add (local.get $two)
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $eight)) (v128.load offset=16 (local.get $at)))))
          (local.set $row (i32.add (local.get $row) (i32.const 16)))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (br_if $sixteen (i32.lt_u (local.get $at) (local.get $end))))
        (local.set $one (i32x4.add (local.get $one) (local.get $two)))
        (i32.store (local.get $out) (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $one)) (i32x4.extract_lane 1 (local.get $one)))
          (i32.add (i32x4.extract_lane 2 (local.get $one)) (i32x4.extract_lane 3 (local.get $one)))))
        (local.set $places (i32.add (local.get $places) (i32.const 4)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $next)))))
