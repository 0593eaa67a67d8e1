;; The inner loop of a static model. `npx bun scripts/generate-kernel.ts` writes it as bytes into kernel.ts.
(module
  (memory (export "memory") 1)

  ;; Adds up the rows of tokens, each multiplied with its scale.
  ;; $ids: numbers of rows, 32 bits each, at least one
  ;; $table: rows of $width signed bytes; $width is a multiple of 16
  ;; $scales, $out: 32-bit floats, one a row and $width
  (func (export "sum") (param $ids i32) (param $count i32) (param $table i32) (param $scales i32) (param $width i32)
    (param $out i32)
    (local $column i32) (local $at i32) (local $end i32) (local $id i32)
    (local $scale v128) (local $bytes v128) (local $half v128)
    (local $first v128) (local $second v128) (local $third v128) (local $fourth v128)
    (local.set $end (i32.add (local.get $ids) (i32.shl (local.get $count) (i32.const 2))))
    (loop $block
      (local.set $first (v128.const i64x2 0 0))
      (local.set $second (v128.const i64x2 0 0))
      (local.set $third (v128.const i64x2 0 0))
      (local.set $fourth (v128.const i64x2 0 0))
      (local.set $at (local.get $ids))
      (loop $token
        (local.set $id (i32.load (local.get $at)))
        (local.set $scale (v128.load32_splat (i32.add (local.get $scales) (i32.shl (local.get $id) (i32.const 2)))))
        (local.set $bytes (v128.load
          (i32.add (i32.add (local.get $table) (i32.mul (local.get $id) (local.get $width))) (local.get $column))))
        (local.set $half (i16x8.extend_low_i8x16_s (local.get $bytes)))
        (local.set $first (f32x4.add (local.get $first) (f32x4.mul (local.get $scale)
          (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $half))))))
        (local.set $second (f32x4.add (local.get $second) (f32x4.mul (local.get $scale)
          (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $half))))))
        (local.set $half (i16x8.extend_high_i8x16_s (local.get $bytes)))
        (local.set $third (f32x4.add (local.get $third) (f32x4.mul (local.get $scale)
          (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $half))))))
        (local.set $fourth (f32x4.add (local.get $fourth) (f32x4.mul (local.get $scale)
          (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $half))))))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (br_if $token (i32.lt_u (local.get $at) (local.get $end))))
      (v128.store (local.get $out) (local.get $first))
      (v128.store offset=16 (local.get $out) (local.get $second))
      (v128.store offset=32 (local.get $out) (local.get $third))
      (v128.store offset=48 (local.get $out) (local.get $fourth))
      (local.set $out (i32.add (local.get $out) (i32.const 64)))
      (local.set $column (i32.add (local.get $column) (i32.const 16)))
      (br_if $block (i32.lt_u (local.get $column) (local.get $width))))))
